"""A Llama-like language model in plain PyTorch, from 1.13 on, with the recomputation that the setting `recompute` names.

Blocks are those of Llama 3 [Llama3, section 3.2]: RMSNorm, rotary positions, SwiGLU. Weights stay in 32 bits; with bf16, products run
under autocast.
"""

import functools
import math

import torch
import torch.nn.functional as functional
from torch import nn
from torch.utils.checkpoint import checkpoint


class Linear(nn.Module):
    """A product without bias. PyTorch without MKL takes the machine's BLAS for 32 bits, in Debian the reference implementation, at
    1 GFLOP/s a core; a convolution of one point goes through oneDNN, twenty times as fast."""

    by_convolution = torch.backends.mkldnn.is_available() and not torch.backends.mkl.is_available()

    def __init__(self, inputs, outputs):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(outputs, inputs) * 0.02)

    def forward(self, x):
        if not self.by_convolution or torch.is_autocast_cpu_enabled():
            return functional.linear(x, self.weight)
        points = x.reshape(-1, x.shape[-1], 1, 1)
        return functional.conv2d(points, self.weight[..., None, None]).view(*x.shape[:-1], -1)


class RMSNorm(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(hidden))

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5) * self.weight


def rotary_table(sequence, head, base=500000.0):
    """Cosines and sines, [2, sequence, head / 2]."""
    angles = torch.outer(torch.arange(sequence).float(), base ** (-torch.arange(0, head, 2).float() / head))
    return torch.stack([angles.cos(), angles.sin()])


def turned(x, table):
    """x [batch, heads, sequence, head] with each pair of its features turned by its position."""
    even, odd = x.unflatten(-1, (-1, 2)).unbind(-1)
    cosine, sine = table.to(x.dtype)
    return torch.stack([even * cosine - odd * sine, even * sine + odd * cosine], -1).flatten(-2)


def attended(queries, keys, values):
    """Causal attention, scores in memory: PyTorch 1.13 has no fused kernel for it."""
    scores = queries @ keys.transpose(-1, -2) / math.sqrt(queries.shape[-1])
    later = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
    return scores.masked_fill(later, -math.inf).softmax(-1).type_as(values) @ values


class Block(nn.Module):
    def __init__(self, shape, recompute):
        super().__init__()
        hidden, ffn = shape["hidden"], shape["ffn_hidden"]
        self.heads = shape["attention_heads"]
        self.attention_norm, self.ffn_norm = RMSNorm(hidden), RMSNorm(hidden)
        self.queries, self.keys, self.values = (Linear(hidden, hidden) for _ in range(3))
        self.output = Linear(hidden, hidden)
        self.gate, self.up, self.down = Linear(hidden, ffn), Linear(hidden, ffn), Linear(ffn, hidden)
        self.attended = again(attended) if recompute == "selective" else attended

    def split(self, x):
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def forward(self, x, table):
        y = self.attention_norm(x)
        queries, keys, values = (self.split(product(y)) for product in (self.queries, self.keys, self.values))
        heads = self.attended(turned(queries, table), turned(keys, table), values)
        x = x + self.output(heads.transpose(1, 2).flatten(2))
        y = self.ffn_norm(x)
        return x + self.down(functional.silu(self.gate(y)) * self.up(y))


def again(function):
    """The function, computed again in the backward pass instead of keeping what it needs. Before version 2 only the reentrant way frees
    what it computes again as soon as it was used."""
    return functools.partial(checkpoint, function, use_reentrant=torch.__version__.startswith("1."))


class Model(nn.Module):
    """forward(tokens, targets), both [batch, sequence], gives the mean loss. shape: `workload` of a scenario."""

    def __init__(self, shape, recompute="none"):
        super().__init__()
        hidden, vocabulary = shape["hidden"], shape["vocabulary"]
        self.embedding = nn.Embedding(vocabulary, hidden)
        self.blocks = nn.ModuleList(Block(shape, recompute) for _ in range(shape["layers"]))
        self.norm = RMSNorm(hidden)
        self.head = Linear(hidden, vocabulary)
        self.head.weight = self.embedding.weight
        nn.init.normal_(self.head.weight, std=0.02)
        self.register_buffer("table", rotary_table(shape["sequence"], hidden // shape["attention_heads"]), persistent=False)
        self.passes = [again(block) if recompute == "full" else block for block in self.blocks]

    def forward(self, tokens, targets):
        x = self.embedding(tokens)
        for layer in self.passes:
            x = layer(x, self.table)
        return functional.cross_entropy(self.head(self.norm(x)).flatten(0, 1).float(), targets.flatten())
